import { screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { i18n, LANGUAGES } from '@/i18n/i18n'
import { settingsStore } from '@/lib/settings'
import { aLeader, anAdmin } from '@/testing/users'
import { pageActions } from '../page-actions'
import { searchProviders, type SearchProvider } from '../search/search-providers'
import { matchSuggestions, mergeSuggestions, type Suggestion } from '../search/suggestions'
import { loadTexts, renderFrame, serve, where } from './render-frame'

const admin = anAdmin({ firstName: 'Root', lastName: 'Admin' })
const leader = aLeader({ companyName: 'Northwind Ltd' })

function suggestion(label: string, keywords = ''): Suggestion {
  return { id: label, kind: 'screen', label, keywords, Icon: () => null, open: () => undefined }
}

const labels = (list: Suggestion[]) => list.map(({ label }) => label)

describe('matchSuggestions', () => {
  const list = [suggestion('Subscription', 'billing cards'), suggestion('Warehouses'), suggestion('Team Members')]

  it('finds by label, by other words and by several words', () => {
    expect(labels(matchSuggestions(list, 'WARE'))).toEqual(['Warehouses'])
    expect(labels(matchSuggestions(list, 'billing'))).toEqual(['Subscription'])
    expect(labels(matchSuggestions(list, 'mem team'))).toEqual(['Team Members'])
    expect(matchSuggestions(list, 'zebra')).toEqual([])
  })

  it('puts what begins with the query first', () => {
    const ranked = matchSuggestions([suggestion('Old mem'), suggestion('Members'), suggestion('Remember')], 'mem')
    expect(labels(ranked)).toEqual(['Members', 'Old mem', 'Remember'])
  })
})

describe.each(LANGUAGES)('the actions of screens in %s', (language) => {
  beforeAll(() => loadTexts(language))

  it.each(pageActions)('finds $id by its name and by each of its words', ({ id }) => {
    const all = pageActions.map(({ id: each }) =>
      suggestion(i18n.t(`console:pageActions.${each}`), i18n.t(`console:pageActionWords.${each}`)),
    )
    const name = i18n.t(`console:pageActions.${id}`)
    for (const query of [name, ...i18n.t(`console:pageActionWords.${id}`).split(' ')]) {
      expect(labels(matchSuggestions(all, query))).toContain(name)
    }
  })
})

describe('mergeSuggestions', () => {
  const many = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => suggestion(`${prefix}${index}`))

  // Specification: 9.5
  it('never gives more than ten', () => {
    expect(mergeSuggestions(many('local', 14), [])).toHaveLength(10)
    expect(mergeSuggestions(many('local', 14), many('found', 14))).toHaveLength(10)
  })

  it('leaves room for what the server found', () => {
    const merged = labels(mergeSuggestions(many('local', 14), many('found', 3)))
    expect(merged.filter((label) => label.startsWith('found'))).toHaveLength(3)
  })
})

describe('dialog', () => {
  beforeEach(() => {
    serve()
  })

  afterEach(() => {
    vi.unstubAllGlobals()
    searchProviders.length = 0
    settingsStore.clear()
  })

  const open = async (user: UserEvent, key = 'Control') => {
    await user.keyboard(`{${key}>}k{/${key}}`)
    await screen.findByRole('combobox')
  }
  const options = () => screen.getAllByRole('option')

  it('opens with Ctrl K on the field and closes with Escape, giving the focus back', async () => {
    const user = userEvent.setup()
    await renderFrame(leader)
    const button = screen.getByRole('button', { name: 'Search screens and actions' })
    button.focus()
    await open(user)
    expect(screen.getByRole('combobox')).toHaveFocus()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('combobox')).not.toBeInTheDocument())
    expect(button).toHaveFocus()
  })

  // Specification: 9.5
  it('offers at most ten, only what the person may use', async () => {
    const user = userEvent.setup()
    await renderFrame(leader)
    await open(user, 'Meta')
    expect(options()).toHaveLength(10)
    expect(screen.getByRole('option', { name: /Warehouses/ })).toBeInTheDocument()
    expect(screen.queryByRole('option', { name: /Companies/ })).not.toBeInTheDocument()
  })

  it('goes with the arrows and Enter', async () => {
    const user = userEvent.setup()
    await renderFrame(leader)
    await open(user)
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
    expect(options()[1]).toHaveAttribute('aria-selected', 'true')
    expect(screen.getByRole('combobox')).toHaveAttribute('aria-activedescendant', options()[1]?.id)
    await user.keyboard('{Enter}')
    expect(where()).toBe('/warehouses')
  })

  // Specification: 1.20
  it('filters while one types and opens the first with Enter', async () => {
    const user = userEvent.setup()
    await renderFrame(leader)
    await open(user)
    await user.keyboard('DEVİCE')
    expect(options()).toHaveLength(1)
    await user.keyboard('{Enter}')
    expect(where()).toBe('/storage')
  })

  it('carries out actions', async () => {
    const user = userEvent.setup()
    await renderFrame(leader)
    await open(user)
    await user.keyboard('dark{Enter}')
    expect(settingsStore.get().theme).toBe('dark')
  })

  it('leads to what is done on a screen', async () => {
    const user = userEvent.setup()
    await renderFrame(leader)
    await open(user)
    await user.keyboard('resend{Enter}')
    expect(where()).toBe('/team-members')
  })

  it('says when nothing fits', async () => {
    const user = userEvent.setup()
    await renderFrame(leader)
    await open(user)
    await user.keyboard('zebra')
    expect(screen.getByText('No Results Found')).toBeInTheDocument()
  })

  it('adds what a provider finds, for those it is meant for', async () => {
    const search = vi.fn<SearchProvider['search']>(async () => [
      {
        id: '12',
        kind: 'company',
        label: 'Contoso',
        detail: 'office@contoso.test',
        open: (navigate) => void navigate('/admin/members'),
      },
    ])
    searchProviders.push({
      id: 'companies',
      isFor: ({ permissions }) => permissions.includes('companies:manage'),
      search,
    })
    const user = userEvent.setup()
    await renderFrame(admin)
    await open(user)
    await user.keyboard('cont')
    const found = await screen.findByRole('option', { name: /Contoso/ })
    expect(within(found).getByText('Company')).toBeInTheDocument()
    expect(search.mock.calls.map(([query]) => query)).toEqual(['cont'])
    await user.click(found)
    expect(where()).toBe('/admin/members')
  })
})
