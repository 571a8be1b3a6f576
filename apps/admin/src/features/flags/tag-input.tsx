import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api-query.ts';

export interface Tag {
  readonly type: string;
  readonly value: string;
}

/** Parses a tag: "team:payments". Without a type it is a simple tag. */
export function tagOf(text: string): Tag {
  const end = text.indexOf(':');
  return end < 1
    ? { type: 'simple', value: text.trim() }
    : { type: text.slice(0, end).trim(), value: text.slice(end + 1).trim() };
}

/** Formats a tag; the opposite of {@link tagOf}. */
export function textOf({ type, value }: Tag): string {
  return `${type}:${value}`;
}

interface Props {
  readonly label: string;
  readonly value: readonly string[];
  readonly error?: string | undefined;
  readonly onChange: (tags: string[]) => void;
}

/** Selects existing tags or adds new ones. */
export function TagInput({ label, value, error, onChange }: Props) {
  const known = useQuery({ ...apiQuery('GET /api/admin/tags', {}, ({ tags }) => tags), staleTime: 30_000 });
  return (
    <TagsInput
      label={label}
      description="Format: type:value, such as team:payments. Press Enter after each tag."
      data={known.data?.map(textOf) ?? []}
      value={[...value]}
      onChange={(next) => onChange([...new Set(next.map((text) => textOf(tagOf(text))))])}
      acceptValueOnBlur
      error={error}
      maxDropdownHeight={240}
      limit={100}
    />
  );
}
