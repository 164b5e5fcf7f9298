export class Learn { constructor(root) { root.textContent = ''; } }
