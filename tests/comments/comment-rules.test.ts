import { describe, expect, it } from 'vitest';
import { commentBreaches } from './comment-rules.ts';

const long = 'x'.repeat(120);

describe('the rules of comments', () => {
  it.each([
    ['a doc comment that begins with a verb', '/** Returns what the caller sent. */\nconst a = 1;'],
    ['a banned word later in the comment', '// The flags\n// that are on, and those that are off.\nconst a = 1;'],
    ['a word that only begins like a banned one', '/** Offset of the page. */\nconst a = 1;'],
    ['a string that looks like a comment', "const a = '// What this is';"],
    ['a template that looks like a comment', 'const a = `\n/* Told of it */\n`;'],
    ['a pattern that looks like a comment', 'const a = /[/*] Who /;'],
    ['a directive to the linter, which has to be one line', `// biome-ignore lint/a/b: ${long}\nconst a = 1;`],
    ['code that is longer than a comment may be', `const a = '${long}';`],
  ])('accept %s', (_, source) => {
    expect(commentBreaches('a.ts', source)).toEqual([]);
  });

  it.each([
    ['a doc comment', '/** What it is. */\nconst a = 1;', 1, 'What'],
    ['a doc comment of several lines', '\n/**\n * Whoever calls\n * this.\n */\nconst a = 1;', 2, 'Whoever'],
    ['a line comment', 'const b = 2;\n// What it is.\nconst a = 1;', 2, 'What'],
    ['a comment behind code', 'const a = 1; // Of the caller', 1, 'Of'],
    ['a comment inside an object', 'const a = {\n  /** Those in use. */\n  b: 1,\n};', 2, 'Those'],
    ['a comment at the end of a file', 'const a = 1;\n// All that is left', 2, 'All that'],
    ['a comment inside an empty block', 'function a() {\n  // Asked later.\n}', 2, 'Asked'],
  ])('find a banned opening in %s', (_, source, line, opening) => {
    expect(commentBreaches('a.ts', source)).toEqual([
      expect.stringContaining(`a.ts:${line} comment begins with "${opening}"`),
    ]);
  });

  it('find a banned opening in a comment of JSX', () => {
    const source = 'const a = (\n  <p>\n    {/* Told once. */}\n    // Who is no comment\n  </p>\n);';
    expect(commentBreaches('a.tsx', source)).toEqual(['a.tsx:3 comment begins with "Told": Told once.']);
  });

  it('find each comment line that is too long', () => {
    const source = `// Short.\n// ${long}\n/*\n * ${long}\n */\nconst a = 1;`;
    expect(commentBreaches('a.js', source)).toEqual([
      'a.js:2 comment line has 123 columns, more than 120',
      'a.js:4 comment line has 123 columns, more than 120',
    ]);
  });
});
