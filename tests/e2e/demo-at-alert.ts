import { runDemo } from '../../apps/server/src/app/demo.ts';
import { password } from '../../apps/server/src/demo/index.ts';

/** A demo that is paused while its alert fires. */
export interface DemoAtAlert {
  readonly url: string;
  /** An administrator of the demo. */
  readonly who: { readonly username: string; readonly password: string };
  stop(): Promise<void>;
}

/** Starts the demo and plays it until its alert fires. Rejects when the demo ends before. */
export async function startAtAlert(): Promise<DemoAtAlert> {
  const stop = new AbortController();
  const ended = Promise.withResolvers<never>();
  stop.signal.addEventListener('abort', () => ended.reject(new Error('the demo is stopped')));
  const fires = Promise.withResolvers<void>();
  let url = '';
  const tell = (text: string) => {
    url = /serves on (http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1] ?? url;
    if (text.startsWith('CheckoutErrors fires')) fires.resolve();
  };
  let pauses = 0;
  const pause = () => (pauses++ === 0 ? Promise.resolve() : ended.promise);
  const demo = runDemo({ port: 0, pause, stopped: stop.signal, tell });
  await Promise.race([fires.promise, demo.then(() => Promise.reject(new Error('the demo ended before its alert')))]);
  return {
    url,
    who: { username: 'ada', password },
    stop: async () => {
      stop.abort();
      await demo;
    },
  };
}
