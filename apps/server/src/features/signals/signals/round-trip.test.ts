import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, received, send, type TestEndpoint } from '#testing/signals.ts';

const numRuns = Number(process.env.YARDARM_TEST_RUNS ?? 100);
const timeout = 20_000 + numRuns * 50;

// The tests compare text (docs/spec#signal-body), because parsing JSON would already lose details.
describe('a signal is stored as it was sent', () => {
  const server = useServer();
  let endpoint: TestEndpoint;
  beforeAll(async () => {
    endpoint = await givenEndpoint(server());
  });

  /** Sends a JSON text and expects it unchanged in the answer and in the list of stored signals. */
  async function survives(text: string): Promise<void> {
    const reply = await send(server(), endpoint, text);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.text).toContain(`"payload":${text}}],"duplicate":false}`);
    expect((await received(server(), endpoint, 1)).text.endsWith(`"payload":${text}}]}`)).toBe(true);
  }

  it.each([
    ['digits beyond double precision', '[12345678901234567890.12345678901234567890,9007199254740993,-0,-0.0,0e0]'],
    ['numbers beyond any double', '[1e400,-1e400,1e-400,123456789E+1000]'],
    ['ways to write a number', '[1.0,1.00,1e0,1E0,1e+0,10e-1]'],
    ['the order of keys', '{"b":1,"a":2,"10":3,"9":4,"":5}'],
    ['repeated keys', '{"a":1,"a":2,"a":{"b":1,"b":2}}'],
    ['white space', ' {\n\t"a" : [ 1 ,\r\n 2 ] }\n'],
    ['escapes as they are written', '"\\u0041\\/\\/\\b\\f\\n\\r\\t\\"\\\\\\u00e9é"'],
    ['U+0000 as an escape, in values and keys', '{"\\u0000":"\\u0000a\\u0000"}'],
    ['halves of surrogate pairs as escapes', '["\\ud800","\\udc00\\ud800","\\ud83d x"]'],
    ['pairs of surrogates as escapes', '"\\ud83d\\ude00"'],
    ['characters beyond the first plane', '"🎉𝔘𠜎\u{10ffff}"'],
    [
      'line separators, byte order marks and invisible characters',
      '"\u2028\u2029\ufeff\u200b\u202e\ufffd\uffff\u0085\u007f"',
    ],
    ['combined and composed letters', '["e\u0301","\u00e9"]'],
    ['names with a meaning in JavaScript', '{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}},"toJSON":"z"}'],
    ['names with a meaning in SQL', `{"a":"'; drop table signals; --","$1":"?","\\\\":"\\\\x"}`],
  ])('%s', async (_name, text) => {
    await survives(text);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('strings of 100 kB', async () => {
    for (const character of ['x', 'é', '日', '🎉', '\\u0000', '\\\\', '\\"']) {
      const fits = Math.floor((102_400 - 2) / Buffer.byteLength(character));
      await survives(`"${character.repeat(fits)}"`);
    }
  });

  it(
    'every string of Unicode, as a value and as a key',
    async () => {
      const unit = fc.oneof(fc.constant('grapheme' as const), fc.constant('binary' as const));
      const anyString = unit.chain((kind) => fc.string({ unit: kind, maxLength: 200, size: 'max' }));
      await fc.assert(
        fc.asyncProperty(anyString, anyString, (key, value) => survives(JSON.stringify({ [key]: [value] }))),
        { numRuns },
      );
    },
    timeout,
  );

  it(
    'every sequence of UTF-16 units, escaped',
    async () => {
      const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 100 });
      const escaped = units.map((all) => `"${all.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`);
      await fc.assert(fc.asyncProperty(escaped, survives), { numRuns });
    },
    timeout,
  );

  it(
    'every number, however it is written',
    async () => {
      const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,40})$/);
      const number = fc
        .tuple(
          fc.constantFrom('', '-'),
          digits,
          fc.stringMatching(/^(\.[0-9]{1,40})?$/),
          fc.stringMatching(/^([eE][+-]?[0-9]{1,5})?$/),
        )
        .map((parts) => parts.join(''));
      await fc.assert(
        fc.asyncProperty(fc.array(number), (all) => survives(`[${all.join(',')}]`)),
        { numRuns },
      );
    },
    timeout,
  );

  it(
    'every JSON value',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.json({ maxDepth: 20, depthSize: 'large', stringUnit: 'binary' }),
          fc.nat({ max: 3 }),
          (text, indent) => survives(JSON.stringify(JSON.parse(text), null, indent)),
        ),
        { numRuns },
      );
    },
    timeout,
  );
});
