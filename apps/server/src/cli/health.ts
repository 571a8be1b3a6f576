import { CommandError } from './command-error.ts';

const timeoutMs = 5_000;

/** Rejects with a {@link CommandError} unless the server at `url` answers that it is healthy. */
export async function checkHealth(url: string): Promise<void> {
  let status: number;
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(timeoutMs) });
    await answer.body?.cancel();
    status = answer.status;
  } catch (error) {
    const { cause, message } = error as Error;
    throw new CommandError(`${url}/health does not answer: ${cause instanceof Error ? cause.message : message}`);
  }
  if (status !== 200) throw new CommandError(`${url}/health answered ${status}.`);
}
