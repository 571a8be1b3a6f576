import { Anchor, type AnchorProps, Button, type ButtonProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Html<P> = P & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P> & { readonly ref?: Ref<HTMLAnchorElement> };

function PlainAnchor(props: Html<AnchorProps>) {
  return <Anchor {...props} />;
}

function PlainButton(props: Html<ButtonProps>) {
  return <Button component="a" {...props} />;
}

function PlainMenuItem(props: Html<MenuItemProps>) {
  return <Menu.Item component="a" {...props} />;
}

/** A link in a text; `to`, `params` and `search` are checked against the pages that there are. */
export const AnchorLink = createLink(PlainAnchor);
/** A link that looks like a button. */
export const ButtonLink = createLink(PlainButton);
/** A link in a menu. */
export const MenuLink = createLink(PlainMenuItem);
