/** A failure whose message tells the user of the command line what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
