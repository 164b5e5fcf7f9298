export class Live { constructor(root) { root.textContent = ''; } }
