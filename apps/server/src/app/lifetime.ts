/**
 * What has been started and must be stopped, in the opposite order. Starting is all or nothing: when a step
 * fails, what stood before it is released.
 */
export class Lifetime {
  readonly #releases: { readonly name: string; readonly release: () => unknown }[] = [];
  #stopping: Promise<void> | null = null;

  /** Says how something that was just started is stopped. */
  onStop(name: string, release: () => unknown): void {
    this.#releases.push({ name, release });
  }

  get stopping(): boolean {
    return this.#stopping !== null;
  }

  /** Releases everything, the newest first; safe to call again. A failing release does not keep the rest from theirs. */
  stop(): Promise<void> {
    this.#stopping ??= this.#releaseAll();
    return this.#stopping;
  }

  async #releaseAll(): Promise<void> {
    const failures: Error[] = [];
    for (const { name, release } of this.#releases.toReversed()) {
      try {
        await release();
      } catch (error) {
        failures.push(new Error(`stopping ${name} failed`, { cause: error }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be stopped');
  }
}
