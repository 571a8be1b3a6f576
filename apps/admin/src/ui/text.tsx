import { Badge, Text } from '@mantine/core';

/** Secondary text below or beside something: an explanation, a count, a time. */
export const Muted = Text.withProps({ size: 'sm', c: 'dimmed' });

/** Secondary text in the smallest size, below a name or a field. */
export const Hint = Text.withProps({ size: 'xs', c: 'dimmed' });

/** The heading of a part of a card or form. */
export const Strong = Text.withProps({ size: 'sm', fw: 600 });

/** A badge beside a name or in a list. */
export const SmallBadge = Badge.withProps({ size: 'sm' });
