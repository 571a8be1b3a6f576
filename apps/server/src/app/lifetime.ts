/**
 * The components that have been started, which are stopped in reverse order. Starting is all or nothing: when a step
 * fails, the components before it are stopped.
 */
export class Lifetime {
  readonly #releases: { readonly name: string; readonly release: () => unknown }[] = [];
  #stopping: Promise<void> | null = null;

  /** Registers how to stop a component that was just started. */
  onStop(name: string, release: () => unknown): void {
    this.#releases.push({ name, release });
  }

  get stopping(): boolean {
    return this.#stopping !== null;
  }

  /**
   * Stops all components, the newest first. Can be called again. A failure does not prevent the other components from
   * stopping.
   */
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
    if (failures.length > 0) throw new AggregateError(failures, 'some components could not be stopped');
  }
}
