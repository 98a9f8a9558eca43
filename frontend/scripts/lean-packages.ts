import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))

/** Packages that resolve to more code than the build needs; about 2 KB (gzip) on every page. */
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
    transform: {
      filter: { id: /\/react-router\/dist\// },
      // 1.3 KB (gzip) of every page, too much for the landing page to lose. Names for debugging count as side effects, and keep components in the bundle that nothing uses.
      handler: (code) =>
        code.replace(/^\w+\.displayName = ".*";$/gm, '').replace(/= (React\d*\.forwardRef\()/g, '= /* @__PURE__ */ $1'),
    },
  }
}
