/** Returns a number with its noun: "1 run", "3 runs". The plural of the noun has an s unless it is given. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
