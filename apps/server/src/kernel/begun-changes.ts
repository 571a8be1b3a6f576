import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether the request that runs has begun a change. Requests that only read have no store. */
const begun = new AsyncLocalStorage<{ isBegun: boolean }>();

/** Runs the handler of a request that may change data, and remembers whether it has begun a change. */
export function rememberChanges<T>(handle: () => T): T {
  return begun.run({ isBegun: false }, handle);
}

/** Remembers that the request that runs begins a change. */
export function noteChange(): void {
  const request = begun.getStore();
  if (request !== undefined) request.isBegun = true;
}

/** Returns whether the request that runs has begun a change, which may be stored. */
export function mayHaveChanged(): boolean {
  return begun.getStore()?.isBegun ?? false;
}
