import type { RequestInfo } from '#http/request.ts';
import { Problem } from '#kernel/errors.ts';
import { type FeedFilter, matches } from './filter.ts';
import type { FeedPage } from './pages.ts';
import type { RecentEvents } from './recent-events.ts';

/** The requests that wait for an event (long poll). */
export class Waits {
  readonly #recent: RecentEvents;
  readonly #limit: number;
  #waiting = 0;

  constructor(recent: RecentEvents, limit: number) {
    this.#recent = recent;
    this.#limit = limit;
  }

  /**
   * Returns `page` or, when it is empty, the page with the next matching event. Returns an empty page after `seconds`,
   * and when the client has gone, the server stops, or the log went back. Rejects with 429 when too many requests are
   * waiting.
   */
  async untilFilled(
    page: FeedPage,
    filter: FeedFilter,
    read: (after: number) => Promise<FeedPage>,
    seconds: number,
    { gone, stopping }: Pick<RequestInfo, 'gone' | 'stopping'>,
  ): Promise<FeedPage> {
    if (!isEmpty(page)) return page;
    if (this.#waiting >= this.#limit)
      throw new Problem(
        'RateLimitError',
        `${this.#limit} requests wait for events already, which is the limit. Try again in 5 seconds.`,
        {
          headers: { 'retry-after': '5' },
        },
      );
    const stop = AbortSignal.any([gone, stopping, AbortSignal.timeout(seconds * 1000)]);
    this.#waiting++;
    try {
      let last = page;
      while (isEmpty(last) && !stop.aborted && last.epoch === this.#recent.epoch) {
        await this.#match(filter, last, stop);
        if (last.epoch === this.#recent.epoch) last = await read(last.next);
      }
      return last;
    } finally {
      this.#waiting--;
    }
  }

  /** Resolves when a matching event is added after a page, when the log went back, and when `stop` aborts. */
  #match(filter: FeedFilter, { next, epoch }: FeedPage, stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let examined = next;
      const examine = () => {
        const added = this.#recent.since(examined);
        examined = this.#recent.newest;
        const wentBack = epoch !== this.#recent.epoch;
        if (stop.aborted || wentBack || added === undefined || added.some(({ row }) => matches(filter, row))) end();
      };
      const end = () => {
        remove();
        stop.removeEventListener('abort', end);
        resolve();
      };
      const remove = this.#recent.onAdded(examine);
      stop.addEventListener('abort', end);
      examine();
    });
  }
}

function isEmpty({ events, hasMore }: FeedPage): boolean {
  return events.length === 0 && !hasMore;
}
