import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';

interface Props {
  readonly name: string;
  readonly favorite: boolean;
  readonly size: number;
  readonly title?: string;
  readonly onChange: (favorite: boolean) => void;
}

/** A star that adds something to the favorites of the user, or removes it. */
export function FavoriteButton({ name, favorite, size, title, onChange }: Props) {
  const Icon = favorite ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      variant="subtle"
      color={favorite ? 'yellow' : 'gray'}
      onClick={() => onChange(!favorite)}
      aria-label={favorite ? `Remove ${name} from favorites` : `Add ${name} to favorites`}
      title={title}
      aria-pressed={favorite}
    >
      <Icon size={size} aria-hidden />
    </ActionIcon>
  );
}
