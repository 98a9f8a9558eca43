import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))

/** Packages that resolve to more code than the build needs. */
export function leanPackages(): Plugin {
  return {
    name: 'tessera:lean-packages',
    apply: 'build',
    config: () => ({
      resolve: {
        alias: [
          // The package exports its development build only: https://github.com/remix-run/react-router/issues/14102
          { find: /^react-router$/, replacement: `${packages}react-router/dist/production/index.mjs` },
          // A shim for React before 18.
          { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
        ],
      },
    }),
  }
}
