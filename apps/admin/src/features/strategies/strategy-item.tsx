import { ActionIcon, Card, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots, IconEdit, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFlagChange, useReview } from '../../entities/change-requests/use-reviewed-change.ts';
import { describeStrategy } from '../../entities/strategies/describe-strategy.ts';
import {
  definitionsQuery,
  type FeatureStrategy,
  segmentsQuery,
  titleOf,
} from '../../entities/strategies/strategy-queries.ts';
import { MenuLink, TextLink } from '../../ui/link.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { ActionItem } from '../../ui/row-menu.tsx';
import { useSortableItem } from '../../ui/sortable.tsx';
import { Hint, SmallBadge } from '../../ui/text.tsx';
import { VariantShares } from '../variants/index.ts';
import { DeleteStrategy } from './delete-strategy.tsx';
import { valueNotes } from './value-notes.ts';

interface Props {
  readonly projectId: string;
  readonly environment: string;
  readonly strategy: FeatureStrategy;
  readonly movable: boolean;
}

/** A strategy of a flag, described in words. */
export function StrategyItem({ projectId, environment, strategy, movable }: Props) {
  const { data: definitions } = useQuery(definitionsQuery);
  const { data: segments } = useQuery(segmentsQuery);
  const kind = titleOf(strategy.name, definitions);
  const title = strategy.title ?? kind;
  const { ref, style, handle } = useSortableItem(strategy.id, title, !movable);
  const names = strategy.segments.map((id) => segments?.find((segment) => segment.id === id)?.name ?? `#${id}`);
  return (
    <Card component="li" ref={ref} withBorder padding="sm" style={{ ...style, overflow: 'visible' }}>
      <Group wrap="nowrap" align="flex-start" gap="xs">
        {movable && handle}
        <Stack gap={4} flex={1} miw={0}>
          <Group gap="xs">
            <TextLink
              to="/projects/$projectId/features/$featureName/strategies/edit"
              params={{ projectId, featureName: strategy.featureName }}
              search={{ environmentId: environment, strategyId: strategy.id }}
              fw={600}
              size="sm"
            >
              {title}
            </TextLink>
            {strategy.title !== null && strategy.title !== kind && <Hint>{kind}</Hint>}
            {strategy.disabled && <SmallBadge color="gray">Disabled</SmallBadge>}
          </Group>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }} {...(strategy.disabled ? { c: 'dimmed' } : {})}>
            {describeStrategy({ ...strategy, segments: names })}
          </Text>
          {valueNotes(strategy).map((note) => (
            <Text key={note} size="sm" c="orange.8" style={{ overflowWrap: 'anywhere' }}>
              {note}
            </Text>
          ))}
          {strategy.variants.length > 0 && <VariantShares variants={strategy.variants} />}
        </Stack>
        <StrategyMenu projectId={projectId} environment={environment} strategy={strategy} title={title} />
      </Group>
    </Card>
  );
}

function StrategyMenu({
  projectId,
  environment,
  strategy,
  title,
}: Omit<Props, 'movable'> & { readonly title: string }) {
  const [deleting, setDeleting] = useState(false);
  const place = { projectId, environment };
  const change = useFlagChange(place);
  const report = useReportError();
  const { reviewed } = useReview(place);
  // Without the permission, a change can still be requested where review is required.
  const unlessReviewed = (needs: string) => (reviewed ? {} : { needs, place: { project: projectId, environment } });
  const toggle = () =>
    change.mutate(
      {
        change: {
          action: 'updateStrategy',
          feature: strategy.featureName,
          payload: { id: strategy.id, disabled: !strategy.disabled },
        },
      },
      { onError: report },
    );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${title}`} loading={change.isPending}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuLink
            leftSection={<IconEdit size={16} />}
            to="/projects/$projectId/features/$featureName/strategies/edit"
            params={{ projectId, featureName: strategy.featureName }}
            search={{ environmentId: environment, strategyId: strategy.id }}
          >
            Edit strategy
          </MenuLink>
          <ActionItem
            label={strategy.disabled ? 'Enable strategy' : 'Disable strategy'}
            icon={strategy.disabled ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
            run={toggle}
            {...unlessReviewed('UPDATE_FEATURE_STRATEGY')}
          />
          <ActionItem
            label="Delete strategy"
            icon={<IconTrash size={16} />}
            run={() => setDeleting(true)}
            danger
            {...unlessReviewed('DELETE_FEATURE_STRATEGY')}
          />
        </Menu.Dropdown>
      </Menu>
      {deleting && (
        <DeleteStrategy
          place={place}
          featureName={strategy.featureName}
          strategyId={strategy.id}
          title={title}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
