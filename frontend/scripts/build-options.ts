/** Build options of the console and of the client's page. */
export const buildOptions = {
  emptyOutDir: true,
  manifest: true,
  target: 'es2022',
  // Inlined data: fonts and pictures would break the font-src 'self' policy.
  assetsInlineLimit: 0,
  // Preload hints for lazy chunks are links; modern browsers need no polyfill script.
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
}
