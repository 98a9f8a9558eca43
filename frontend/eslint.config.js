import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createNodeResolver, importX } from 'eslint-plugin-import-x'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const root = fileURLToPath(new URL('.', import.meta.url))
const at = (path) => `${root}src/${path}`

// Shared ← features ← app. What is lower never knows what is higher.
const shared = ['components', 'hooks', 'lib', 'theme', 'i18n', 'api', 'crypto', 'vault', 'testing']
// A feature may use those before it, through their index.ts: cycles cannot arise.
const features = [
  'auth',
  'warehouses',
  'storage',
  'subscription',
  'activity',
  'tokens',
  'identity',
  'policies',
  'system',
  'content',
  'invites',
  'companies',
  'members',
  'signup',
]
const unlisted = readdirSync(at('features')).filter((name) => !features.includes(name))
if (unlisted.length > 0) throw new Error(`eslint.config.js does not order these features: ${unlisted.join(', ')}`)

const layers = [
  ...shared.map((name) => ({
    target: at(name),
    from: [at('features'), at('app')],
    message: 'Shared code knows neither features nor the app.',
  })),
  {
    target: at('client'),
    from: [at('features'), at('app')],
    message: 'The client’s page stands on shared code alone.',
  },
  { target: at('features'), from: at('app'), message: 'Features do not know the app around them.' },
  ...features.map((name) => ({
    target: at(`features/${name}`),
    from: [at(`features/!(${name})/!(index.ts)`), at(`features/!(${name})/*/**/*`)],
    message: 'Another feature is used through its index.ts.',
  })),
  ...features.slice(0, -1).map((name, index) => ({
    target: at(`features/${name}`),
    from: features.slice(index + 1).map((later) => at(`features/${later}`)),
    message: 'This feature comes later in eslint.config.js, where features are ordered to have no cycles.',
  })),
]

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'src/*/types.generated.ts'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, reactHooks.configs.flat['recommended-latest']],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    settings: {
      'import-x/resolver-next': [
        createNodeResolver({
          extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
          tsconfig: { configFile: `${root}tsconfig.json` },
        }),
      ],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: layers }],
      'import-x/no-cycle': 'error',
      'max-lines': ['error', 250],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'No barrels: import a thing from the file that makes it.' },
      ],
      // Two-factor has one name in code.
      'id-denylist': ['error', 'secondFactor', 'secondStep'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Our stores are plain objects without `this`; their functions are handed to React as they are.
      '@typescript-eslint/unbound-method': 'off',
      // Code points are what we mean when a text is spread.
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/components/forms/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['**/components/forms/*.css'], message: 'Use the components in components/forms.' }] },
      ],
    },
  },
  {
    files: ['src/testing/**', '**/tests/**', '**/*.test.{ts,tsx}'],
    rules: {
      // A test that meets null where it expects a thing should fail, and does.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
      // A test may put together parts of several features, as the app does.
      'import-x/no-restricted-paths': 'off',
      'max-lines': 'off',
    },
  },
  // A list, which grows with the console.
  { files: ['src/app/pages.ts'], rules: { 'max-lines': 'off' } },
)
