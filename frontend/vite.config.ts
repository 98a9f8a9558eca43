import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { bootScript } from './scripts/boot-script.ts'
import { precompress } from './scripts/precompress.ts'
import { prerender } from './scripts/prerender.ts'
import { slowestTests } from './scripts/slowest-tests.ts'

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as { version: string }
const server = 'http://127.0.0.1:8000'
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  plugins: [react(), bootScript(), precompress(), prerender()],
  define: { __APP_VERSION__: JSON.stringify(version) },
  resolve: { alias: { '@': here('./src') } },
  server: { proxy: { '/api': server, '/sandbox': server, '/healthz': server } },
  build: {
    outDir: '../backend/tessera/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // Inlined data: fonts and pictures would break the font-src 'self' policy.
    assetsInlineLimit: 0,
    // Preload hints for lazy chunks are links; modern browsers need no polyfill script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The card form is a page of its own, for an origin of its own.
      input: { index: here('index.html'), card: here('card.html') },
      output: {
        codeSplitting: {
          // What every page starts with travels in one piece: fewer requests, and it packs better.
          groups: [
            { name: 'core', test: /node_modules\/(react|react-dom|scheduler|react-router|i18next|react-i18next)\// },
            // And so do our own modules that both the public pages and the console use.
            {
              name: 'shell',
              test: /src\/(i18n\/[\w-]+\.ts|api\/(session|storage|home|link-token)\.|hooks\/use-session|app\/(settings|theme-mode|early-input|PageWait|Styled|StyledLater)\.|components\/(TesseraMark|TileArt|ErrorState|EmptyState|mui-styles|button|state)\.)/,
            },
            // What all pages with data, all of the console, and all that is drawn with MUI fetch anyway.
            { name: 'data', test: /node_modules\/@tanstack\/(query-core|react-query)\// },
            { name: 'client', test: /node_modules\/openapi-fetch\/|src\/api\/(client|errors)\./ },
            {
              name: 'frame',
              test: /src\/(app\/(active-company|layout\/console\/(menu|toolbar)\/|layout\/console\/(screens|frame-action|use-logout|[a-z]+-actions)\.)|components\/(Tip|icons)\.)/,
            },
            {
              name: 'signed-in',
              test: /src\/features\/auth\/((idle-store|language|verification|verification-store|use-task|use-seconds-left|TextButton|Sentence)\.|inactivity\/[a-z-]+\.ts|api\/(user|sent-code|get-own-session|update-profile|ask-email-change)\.)/,
            },
            { name: 'rules', test: /node_modules\/zod\/|src\/features\/auth\/schemas\./ },
            // What the forms of guests are made of: a page would fetch it in a dozen crumbs.
            {
              name: 'form',
              test: /src\/(features\/auth\/(AuthCard|CodeField|EmailField|Field|FieldFrame|FormButton|FormError|PasswordField|Skeletons|auth\.module|describe-failure)\.|components\/(Toasts|toast)\.|crypto\/errors\.)/,
            },
            {
              name: 'signup',
              test: /src\/features\/signup\/(Done|StepHeading|TicketForm|draft|use-ask|signup\.module|api\/pass)\./,
            },
            {
              name: 'mui',
              test: /node_modules\/(@emotion|stylis|@mui\/(system|styled-engine|private-theming)|@mui\/material\/styles)\//,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    // All files of a worker share the libraries and the window; src/testing/page.ts resets what is ours.
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 90_000,
    reporters: ['default', slowestTests],
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
})
