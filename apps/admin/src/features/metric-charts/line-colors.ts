/** The colors of lines in order. When there are more lines than colors, the colors are used again. */
const colors = ['blue', 'orange', 'teal', 'grape', 'red', 'lime', 'cyan', 'pink'] as const;

/** Returns the color of the line with this index. */
export function colorOf(index: number): (typeof colors)[number] {
  return colors[index % colors.length] ?? colors[0];
}
