import { type Settings, wholeNumber } from './setting-types.ts';

/** The limits of client connections. */
export const connectionSettings = {
  connectionLimit: {
    names: ['YARDARM_CONNECTION_LIMIT'],
    value: wholeNumber(0, 1_000_000).default(20_000),
    meaning:
      'Highest number of connections of all clients of a process, including streams. Further connections are closed on arrival. 0 turns the limit off.',
  },
  connectionsPerAddressLimit: {
    names: ['YARDARM_CONNECTIONS_PER_ADDRESS_LIMIT'],
    value: wholeNumber(0, 1_000_000).default(5000),
    meaning:
      'Highest number of connections of one client address. Further connections are closed on arrival. 0 turns the limit off. Not applied with YARDARM_TRUST_PROXY, because all connections then come from the proxy.',
  },
} satisfies Settings;
