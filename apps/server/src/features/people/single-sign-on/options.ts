import type { FailedLogins } from '#features/people/security-events/index.ts';
import type { Sessions } from '#features/people/sessions/index.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Provider } from './provider.ts';

export interface SingleSignOnOptions {
  readonly authType: 'open-source' | 'none';
  readonly database: Database;
  readonly clock: Clock;
  readonly provider: Provider;
  readonly sessions: Sessions;
  /** Rate limit of logins by client address. */
  readonly limit: RateLimit;
  readonly countFailure: FailedLogins['count'];
  readonly basePath: string;
  /** Returns the address that people use (UNLEASH_URL). */
  readonly publicUrl: () => string;
  readonly secureCookies: boolean;
  /** Logs why a login failed because of the provider. */
  readonly warn: (about: object, message: string) => void;
}
