import packageJson from '../../package.json' with { type: 'json' };

/** The header `User-Agent` of the commands, by which logs of servers and proxies tell them from other clients. */
export const userAgent = `yardarm/${packageJson.version}`;
