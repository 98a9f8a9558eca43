import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createNodeResolver, importX } from 'eslint-plugin-import-x'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const root = fileURLToPath(new URL('.', import.meta.url))
const at = (path) => `${root}src/${path}`

// Shared ← features ← app. What is lower never knows what is higher.
const shared = ['components', 'hooks', 'lib', 'theme', 'i18n', 'api', 'crypto', 'testing']
const features = existsSync(at('features')) ? readdirSync(at('features')) : []
const layers = [
  ...shared.map((name) => ({
    target: at(name),
    from: [at('features'), at('app')],
    message: 'Shared code knows neither features nor the app.',
  })),
  { target: at('features'), from: at('app'), message: 'Features do not know the app around them.' },
  ...features.map((name) => ({
    target: at(`features/${name}`),
    from: at(`features/!(${name})/!(api)/**/*`),
    message: 'Another feature is used through its api folder or its top-level modules.',
  })),
]

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'src/api/types.generated.ts'] },
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
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'No barrels: import a thing from the file that makes it.' },
      ],
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
    // The frame is fetched before every console screen and the public pages by everybody: MUI stays out of both.
    files: ['src/app/layout/**', 'src/features/content/**', 'src/components/{Tip,icons}.tsx'],
    ignores: ['src/app/layout/console/{panels,search}/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@mui/*', '@emotion/*'],
              message: 'Too heavy for what everybody fetches: use components/icons and CSS modules.',
            },
          ],
        },
      ],
    },
  },
  {
    // A test that meets null where it expects a thing should fail, and does.
    files: ['src/testing/**', '**/tests/**', '**/*.test.{ts,tsx}'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off', '@typescript-eslint/require-await': 'off' },
  },
)
