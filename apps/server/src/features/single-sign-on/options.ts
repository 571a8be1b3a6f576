import type { RateLimit } from '../../http/rate-limit.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { Sessions } from '../sessions/index.ts';
import type { Provider } from './provider.ts';

export interface SingleSignOnOptions {
  readonly authType: 'open-source' | 'none';
  readonly database: Database;
  readonly clock: Clock;
  readonly provider: Provider;
  readonly sessions: Sessions;
  /** Logins from one address. */
  readonly limit: RateLimit;
  readonly basePath: string;
  /** Address that people use. */
  readonly publicUrl: () => string;
  readonly secureCookies: boolean;
  /** Hears why logins fail that the provider is to blame for. */
  readonly warn: (about: object, message: string) => void;
}
