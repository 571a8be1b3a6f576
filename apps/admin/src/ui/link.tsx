import { Anchor, type AnchorProps, Button, type ButtonProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type OfAnchor<P> = P & Omit<ComponentProps<'a'>, keyof P>;

/** A link to another page of the application, with typed parameters. */
export const TextLink = createLink((props: OfAnchor<AnchorProps>) => <Anchor {...props} />);

/** A {@link TextLink} that looks like a button. */
export const ButtonLink = createLink((props: OfAnchor<ButtonProps>) => <Button component="a" {...props} />);

/** A {@link TextLink} in a menu. */
export const MenuLink = createLink((props: OfAnchor<MenuItemProps>) => <Menu.Item component="a" {...props} />);
