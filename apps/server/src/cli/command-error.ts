/** What went wrong with a command, told in a way that whoever ran it can do something about it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
