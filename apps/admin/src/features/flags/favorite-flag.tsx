import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { type Flag, useFlagAction } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';

/** Adds a flag to the user's favorites, which are listed first, or removes it. */
export function FavoriteFlag({ flag }: { readonly flag: Pick<Flag, 'name' | 'project' | 'favorite'> }) {
  const params = { projectId: flag.project, featureName: flag.name };
  const change = useFlagAction((favorite: boolean) =>
    favorite
      ? api('POST /api/admin/projects/:projectId/features/:featureName/favorites', { params })
      : api('DELETE /api/admin/projects/:projectId/features/:featureName/favorites', { params }),
  );
  const favorite = change.isPending ? change.variables : flag.favorite;
  const label = favorite ? `Remove ${flag.name} from favorites` : `Add ${flag.name} to favorites`;
  return (
    <ActionIcon
      variant="subtle"
      color={favorite ? 'yellow' : 'gray'}
      onClick={() => change.mutate(!favorite)}
      aria-label={label}
      title={favorite ? 'Remove from favorites' : 'Add to favorites'}
      aria-pressed={favorite}
    >
      {favorite ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} aria-hidden />}
    </ActionIcon>
  );
}
