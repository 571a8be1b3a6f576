/** The colors of lines in order; more lines begin again. */
const colors = ['blue', 'orange', 'teal', 'grape', 'red', 'lime', 'cyan', 'pink'] as const;

/** Returns the color of a line by its place. */
export function colorOf(index: number): (typeof colors)[number] {
  return colors[index % colors.length] ?? colors[0];
}
