// Numbers for people.

export function size(bytes) {
  if (bytes === null || bytes === undefined || !Number.isFinite(Number(bytes))) return '';
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let n = Number(bytes);
  let i = 0;
  while (n >= 1000 && i < units.length - 1) { n /= 1024; i++; }
  return (i === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)) + ' ' + units[i];
}

export function count(n) {
  if (n === null || n === undefined) return '';
  if (Math.abs(n) >= 1e6) return (n / 1e6).toFixed(1) + 'M';
  if (Math.abs(n) >= 1e4) return (n / 1e3).toFixed(1) + 'k';
  return Number.isInteger(n) ? String(n) : n.toFixed(1);
}

/** What is left until a deadline: "4:05", "3 h", "2 d"; nothing for keys that stay. */
export function remaining(deadline) {
  if (deadline === -1 || deadline === null || deadline === undefined) return '';
  if (deadline === -2) return 'gone';
  const s = Math.ceil((deadline - Date.now()) / 1000);
  if (s <= 0) return 'gone';
  if (s < 60) return s + ' s';
  if (s < 3600) return Math.floor(s / 60) + ':' + String(s % 60).padStart(2, '0');
  if (s < 2 * 86400) return Math.floor(s / 3600) + ' h ' + Math.floor((s % 3600) / 60) + ' m';
  return Math.floor(s / 86400) + ' d';
}

export function duration(seconds) {
  if (seconds < 120) return Math.round(seconds) + ' s';
  if (seconds < 7200) return Math.round(seconds / 60) + ' min';
  if (seconds < 172800) return Math.round(seconds / 3600) + ' h';
  return Math.round(seconds / 86400) + ' d';
}
