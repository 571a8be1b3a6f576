import type { Config } from '#config/settings.ts';

/** Returns the address of a server on this machine. */
export function addressOf({ host: configured, basePath }: Config, port: number): string {
  const host = ['0.0.0.0', '::', ''].includes(configured) ? 'localhost' : configured;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`;
}
