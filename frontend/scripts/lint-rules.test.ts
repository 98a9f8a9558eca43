import { ESLint } from 'eslint'
import tseslint from 'typescript-eslint'
import { describe, expect, it } from 'vitest'

const root = `${process.cwd()}/`
// Without the rules that need types, which take long to load and are not asked for here.
const linter = new ESLint({ cwd: root, overrideConfig: [tseslint.configs.disableTypeChecked] })

/** The rules that a source text breaks when it stands at the given path. */
async function brokenRules(path: string, text: string): Promise<(string | null)[]> {
  const [result] = await linter.lintText(text, { filePath: `${root}src/${path}` })
  return result!.messages.map(({ ruleId }) => ruleId)
}

describe('the structure that the linter holds', () => {
  it('takes another feature through its index', async () => {
    const text = "export { StatusChip } from '@/features/warehouses'\n"
    expect(await brokenRules('features/companies/CompaniesPage.tsx', text)).toEqual([])
  })

  it.each([
    [
      'a feature cycle',
      'features/warehouses/WarehousesPage.tsx',
      "export { companyKeys } from '@/features/companies'\n",
    ],
    [
      'a file inside another feature',
      'features/members/MembersPage.tsx',
      "export { companyKeys } from '@/features/companies/api'\n",
    ],
    [
      'a folder inside another feature',
      'features/members/MembersPage.tsx',
      "export { CompanyFacts } from '@/features/companies/page/CompanyFacts'\n",
    ],
    ['a feature in shared code', 'components/Button.tsx', "export { companyKeys } from '@/features/companies'\n"],
    ['the app in a feature', 'features/members/MembersPage.tsx', "export { routes } from '@/app/routes'\n"],
  ])('refuses %s', async (_, path, text) => {
    expect(await brokenRules(path, text)).toContain('import-x/no-restricted-paths')
  })

  it('refuses modules that import each other', async () => {
    const text = "export { useStore } from '@/hooks/use-session'\n"
    expect(await brokenRules('api/session.ts', text)).toContain('import-x/no-cycle')
  })

  it('keeps the style sheets of forms to their components', async () => {
    const text = "export { default as styles } from '@/components/forms/form.module.css'\n"
    expect(await brokenRules('features/members/MembersPage.tsx', text)).toContain('no-restricted-imports')
    expect(await brokenRules('components/forms/layout.tsx', text)).not.toContain('no-restricted-imports')
  })

  it('refuses a file of more than 250 lines', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => `export const a${index} = 0\n`).join('')
    expect(await brokenRules('features/members/api.ts', lines(250))).toEqual([])
    expect(await brokenRules('features/members/api.ts', lines(251))).toEqual(['max-lines'])
  })
})
