/** Returns a name in bold Markdown. Escapes asterisks in it, so that a reader does not take them for marks. */
export function boldName(name: string): string {
  return `**${name.replaceAll('*', '\\*')}**`;
}

/** Returns the summary of an event as plain text. */
export function plainSummary(summary: string): string {
  return summary.replace(/\\\*|\*\*/g, (mark) => (mark === '**' ? '' : '*'));
}
