/** The number of columns that a line of JSON may have. */
const columns = 110;

/** Returns a value as JSON: what fits into a line is in one, the rest is indented. */
export function formatJson(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= columns) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const entries = Array.isArray(value)
    ? value.map((entry) => formatJson(entry, inner))
    : Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${formatJson(entry, inner)}`);
  return `${open}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const entries = Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${onOneLine(entry)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
