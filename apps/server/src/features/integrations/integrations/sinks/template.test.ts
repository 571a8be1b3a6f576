import { describe, expect, it } from 'vitest';
import { compile } from './template.ts';

const view = { event: { type: 'a"b', tags: [{ value: 1 }, { value: 2 }], none: [], zero: 0, data: { name: 'n' } } };
const rendered = (template: string) => compile(template)(view, (text) => text.replaceAll('"', '\\"'));

describe('a template', () => {
  it.each([
    ['plain { text }', 'plain { text }'],
    ['{"t":"{{event.type}}"}', '{"t":"a\\"b"}'],
    ['{{{event.type}}} {{& event.type }}', 'a"b a"b'],
    ['{{#event.tags}}[{{value}}/{{event.data.name}}]{{/event.tags}}', '[1/n][2/n]'],
    ['{{^event.none}}none{{/event.none}}{{#event.none}}some{{/event.none}}', 'none'],
    ['{{#event.data}}{{name}}{{/event.data}}{{! not shown }}', 'n'],
    ['{{event.missing}}{{event.missing.more}}', ''],
    ['{{event.data}}', '{\\"name\\":\\"n\\"}'],
    ['{{event.constructor}}{{event.__proto__.toString}}{{constructor.constructor}}', ''],
    ['{{#event.constructor.constructor}}return process{{/event.constructor.constructor}}', ''],
    ['{"a":{{{event.zero}}}}', '{"a":0}'],
  ])('%s becomes %s', (template, expected) => {
    expect(rendered(template)).toBe(expected);
  });

  it.each(['{{#a}}', '{{/a}}', '{{#a}}{{/b}}', '{{a b}}', '{{}}', '{{> partial}}'])('refuses %s', (template) => {
    expect(() => compile(template)).toThrow();
  });

  it('stops at the limit of steps', () => {
    const list = Array.from({ length: 100 }, () => ({}));
    const text = `${'{{#l}}'.repeat(20)}${'{{/l}}'.repeat(20)}`;
    expect(() => compile(text)({ l: list }, String)).toThrow('renders more than');
  });
});
