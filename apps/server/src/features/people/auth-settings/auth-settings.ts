import { z } from 'zod';
import { CachedSetting, defineSetting, findSetting } from '#features/platform/settings/index.ts';
import type { Database } from '#storage/database.ts';
import type { Seal } from '#storage/seal.ts';
import type { Db } from '#storage/tx.ts';
import { noOidc, type OidcSettings, oidcSetting } from './oidc.ts';

export interface PasswordSettings {
  readonly disabled: boolean;
}

export const passwordSetting = defineSetting<PasswordSettings>('auth.simple', z.object({ disabled: z.boolean() }));

const passwordsOn: PasswordSettings = { disabled: false };

export interface AuthSettingsOptions {
  readonly seal: Seal;
  /** The settings of the environment variables; undefined when the settings in the database apply. */
  readonly environment: OidcSettings | undefined;
  /** Whether a provider on another machine may be called over HTTP. */
  readonly allowHttp: boolean;
  /** Whether administrators can read the client secret. */
  readonly readableSecret: boolean;
}

/** The current login settings, cached. The event of a change, from this process or another, invalidates the cache. */
export class AuthSettings {
  readonly options: AuthSettingsOptions;
  readonly #oidc: CachedSetting<OidcSettings>;
  readonly #password: CachedSetting<PasswordSettings>;

  constructor(database: Database, options: AuthSettingsOptions) {
    this.options = options;
    this.#oidc = new CachedSetting(database, oidcSetting, noOidc);
    this.#password = new CachedSetting(database, passwordSetting, passwordsOn);
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

/** Reads the same as {@link AuthSettings.oidc} from the database, for use inside a write. */
export async function readOidc(db: Db, environment: OidcSettings | undefined): Promise<OidcSettings> {
  return environment ?? { ...noOidc, ...(await findSetting(db, oidcSetting)) };
}

/** Returns whether the stored settings give a root role to the accounts that single sign-on creates. */
export async function isRoleOfNewAccounts(db: Db, roleId: number): Promise<boolean> {
  return (await findSetting(db, oidcSetting))?.defaultRootRoleId === roleId;
}

export async function readPasswordSettings(db: Db): Promise<PasswordSettings> {
  return (await findSetting(db, passwordSetting)) ?? passwordsOn;
}
