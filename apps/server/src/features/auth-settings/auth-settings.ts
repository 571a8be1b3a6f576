import type { Database } from '../../storage/database.ts';
import type { Seal } from '../../storage/seal.ts';
import type { Db } from '../../storage/tx.ts';
import { findSetting, KnownSetting } from '../settings/index.ts';
import { noOidc, type OidcSettings } from './oidc.ts';

/** Names of the settings in the table and in their events. */
export const oidcSetting = 'auth.oidc';
export const passwordSetting = 'auth.simple';

export interface PasswordSettings {
  readonly disabled: boolean;
}

const passwordsOn: PasswordSettings = { disabled: false };

export interface AuthSettingsOptions {
  readonly seal: Seal;
  /** What the variables say; undefined when the settings in the database count. */
  readonly environment: OidcSettings | undefined;
  /** Whether a provider elsewhere may be asked over HTTP. */
  readonly allowHttp: boolean;
  /** Whether administrators are told the secret. */
  readonly readableSecret: boolean;
}

/** How people log in, as it stands now. What one process changes, the others follow as soon as they hear of it. */
export class AuthSettings {
  readonly options: AuthSettingsOptions;
  readonly #oidc: KnownSetting<OidcSettings>;
  readonly #password: KnownSetting<PasswordSettings>;

  constructor(database: Database, options: AuthSettingsOptions) {
    this.options = options;
    this.#oidc = new KnownSetting(database, oidcSetting, noOidc);
    this.#password = new KnownSetting(database, passwordSetting, passwordsOn);
  }

  get oidcThroughEnvironment(): boolean {
    return this.options.environment !== undefined;
  }

  async oidc(): Promise<OidcSettings> {
    return this.options.environment ?? { ...noOidc, ...(await this.#oidc.get()) };
  }

  async passwordsDisabled(): Promise<boolean> {
    return (await this.#password.get()).disabled;
  }
}

/** As {@link AuthSettings.oidc}, read inside a change. */
export async function readOidc(db: Db, environment: OidcSettings | undefined): Promise<OidcSettings> {
  return environment ?? { ...noOidc, ...(await findSetting<OidcSettings>(db, oidcSetting)) };
}

export async function readPasswordSettings(db: Db): Promise<PasswordSettings> {
  return (await findSetting<PasswordSettings>(db, passwordSetting)) ?? passwordsOn;
}
