/** The server fills in the placeholder, also in pages that the build has rendered. */
export function supportEmail(): string {
  if (!('document' in globalThis)) return '__SUPPORT_EMAIL__'
  return document.querySelector<HTMLMetaElement>('meta[name="support-email"]')?.content ?? ''
}
