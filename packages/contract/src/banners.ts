import { z } from 'zod';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, id, line } from './scalars.ts';
import { filledText, plainText } from './text.ts';

const variant = z.enum(['info', 'success', 'warning', 'error']);

/** A message shown to all users in the user interface. */
export const banner = z.object({
  id,
  message: z.string(),
  enabled: z.boolean(),
  variant,
  sticky: z.boolean(),
  icon: z.string().nullable(),
  link: z.string().nullable(),
  linkText: z.string().nullable(),
  dialogTitle: z.string().nullable(),
  dialog: z.string().nullable(),
  createdAt: dateTime,
});

const bannerBody = z.object({
  message: filledText(10_000),
  enabled: z.boolean().optional(),
  variant: variant.optional(),
  sticky: z.boolean().optional(),
  icon: line.max(100).nullable().optional(),
  // Readers click the link, so javascript: URLs are refused.
  link: line
    .max(2000)
    .refine(
      (value) => value === '' || value === 'dialog' || /^(https?:\/\/|\/(?![/\\]))/.test(value),
      'must be an http or https URL, a path on this server, or dialog',
    )
    .nullable()
    .optional(),
  linkText: line.max(200).nullable().optional(),
  dialogTitle: line.max(200).nullable().optional(),
  dialog: plainText(100_000).nullable().optional(),
});

const editor = { permission: ['ADMIN', 'UPDATE_INSTANCE_BANNERS'] } as const;

export const bannerRoutes = defineRoutes('Banners', {
  'GET /api/admin/banners': {
    access: 'signed-in',
    summary: 'List banners',
    answers: ok({ banners: z.array(banner) }),
  },
  'POST /api/admin/banners': {
    access: editor,
    summary: 'Create a banner, enabled by default',
    body: bannerBody,
    answers: { 201: json(banner) },
    emits: ['banner-created'],
  },
  'PUT /api/admin/banners/:id': {
    access: editor,
    summary: 'Update a banner; omitted fields keep their values',
    body: bannerBody,
    answers: { 200: json(banner) },
    emits: ['banner-updated'],
  },
  'POST /api/admin/banners/:id/on': {
    access: editor,
    summary: 'Show a banner',
    answers: { 200: json(banner) },
    emits: ['banner-updated'],
  },
  'POST /api/admin/banners/:id/off': {
    access: editor,
    summary: 'Hide a banner',
    answers: { 200: json(banner) },
    emits: ['banner-updated'],
  },
  'DELETE /api/admin/banners/:id': {
    access: editor,
    summary: 'Delete a banner',
    answers: { 200: empty },
    emits: ['banner-deleted'],
  },
});
