import { Badge, Text, Title } from '@mantine/core';

/** Secondary text below or beside something: an explanation, a count, a time. */
export const Muted = Text.withProps({ size: 'sm', c: 'dimmed' });

/** Secondary text in the smallest size, below a name or a field. */
export const Hint = Text.withProps({ size: 'xs', c: 'dimmed' });

/** The heading of a part of a card or form. */
export const Strong = Text.withProps({ size: 'sm', fw: 600 });

/** The name of a row. */
export const RowName = Text.withProps({ size: 'sm', fw: 550 });

/** The title of a section of a page. */
export const SectionTitle = Title.withProps({ order: 2, size: 'h4' });

/** The title of a part of a section. */
export const PartTitle = Title.withProps({ order: 3, size: 'h5' });

/** A badge beside a name or in a list. */
export const SmallBadge = Badge.withProps({ size: 'sm' });
