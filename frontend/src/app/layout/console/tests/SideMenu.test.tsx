import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '@/api/session'
import { activeCompanyStore } from '@/app/active-company'
import { settingsStore } from '@/lib/settings'
import { aLeader, aMember, anAdmin } from '@/testing/users'
import { config, renderFrame, serve } from './render-frame'

const admin = anAdmin({ firstName: 'Root', lastName: 'Admin' })
const leader = aLeader({ companyName: 'Northwind Ltd' })
const member = aMember()

function menu() {
  return screen.getByRole('navigation', { name: 'Main menu' })
}

async function itemsFor(user: User) {
  await renderFrame(user)
  const list = within(menu()).getByRole('list')
  return within(list)
    .queryAllByRole('link')
    .map((link) => link.textContent)
}

beforeEach(() => {
  serve()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  activeCompanyStore.select(null)
  settingsStore.clear()
})

describe('items', () => {
  // Specification: 2.43, 6.1
  it('shows an admin the companies, their members and all activity', async () => {
    expect(await itemsFor(admin)).toEqual(['Companies', 'Members', 'Access requests', 'Activity', 'System'])
    expect(screen.getByRole('link', { name: 'Activity' })).toHaveAttribute('href', '/admin/activity')
  })

  // Specification: 2.44
  it('shows a subscribed leader everything of the company', async () => {
    expect(await itemsFor(leader)).toEqual(['Team Members', 'Warehouses', 'Storage', 'Subscription', 'Activity'])
    expect(screen.getByRole('link', { name: 'Activity' })).toHaveAttribute('href', '/activity')
  })

  // Specification: 4.46
  it('leaves a leader without a subscription the subscription alone', async () => {
    expect(await itemsFor({ ...leader, isSubscribed: false })).toEqual(['Subscription'])
  })

  // Specification: 4.47
  it('hides the warehouses of a company that uses the shared ones', async () => {
    expect(await itemsFor({ ...leader, canViewWarehouse: false })).toEqual([
      'Team Members',
      'Storage',
      'Subscription',
      'Activity',
    ])
  })

  // Specification: 2.42
  it('has one group', async () => {
    await renderFrame(leader)
    expect(within(menu()).getByRole('list', { name: 'Applications' })).toBeVisible()
    expect(within(menu()).getAllByRole('heading')).toHaveLength(1)
  })

  it('shows a team member none', async () => {
    expect(await itemsFor(member)).toEqual([])
  })

  it('goes by permissions, not by the name of the role', async () => {
    expect(await itemsFor({ ...member, permissions: ['subscription:manage'] })).toEqual(['Subscription'])
  })

  // Specification: 2.27
  it('keeps Members disabled, with the reason, until a company is selected', async () => {
    await renderFrame(admin)
    const members = screen.getByRole('link', { name: 'Members' })
    expect(members).toHaveAttribute('aria-disabled', 'true')
    expect(members).not.toHaveAttribute('href')
    act(() => members.focus())
    expect(members).toHaveAccessibleDescription('Select a company first')
    expect(screen.getByRole('tooltip', { hidden: true })).toHaveTextContent('Select a company first')

    act(() => activeCompanyStore.select({ id: 12, name: 'Contoso' }))
    expect(screen.getByRole('link', { name: 'Members' })).toHaveAttribute('href', '/admin/members')
  })

  it('marks the screen one is on', async () => {
    await renderFrame(leader, '/subscription')
    expect(screen.getByRole('link', { name: 'Subscription' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByRole('link', { name: 'Activity' })).not.toHaveAttribute('aria-current')
  })
})

describe('sandbox note', () => {
  it('leads to the outbox', async () => {
    await renderFrame(leader)
    const note = await screen.findByRole('link', { name: 'Sandbox · codes are in the outbox' })
    expect(note).toHaveAttribute('href', '/sandbox/outbox')
  })

  it('is absent in production', async () => {
    serve({ ...config, mode: 'production' })
    await renderFrame(leader)
    expect(await screen.findByText('Tessera 1.2.3')).toBeInTheDocument()
    expect(screen.queryByText(/Sandbox/)).not.toBeInTheDocument()
  })
})

describe('folded', () => {
  // The test environment's pointer events do not say what points.
  const point = (type: 'pointerover' | 'pointerout', pointerType: string) => {
    const event = new MouseEvent(type, { bubbles: true, relatedTarget: document.body })
    fireEvent(menu(), Object.assign(event, { pointerType }))
  }
  const wait = (milliseconds: number) => {
    act(() => {
      vi.advanceTimersByTime(milliseconds)
    })
  }

  beforeEach(async () => {
    settingsStore.update({ folded: true })
    await renderFrame(leader)
    vi.useFakeTimers()
  })

  // Specification: 9.4
  it('opens under the mouse after 150 ms and not before', () => {
    point('pointerover', 'mouse')
    wait(149)
    expect(menu()).toHaveAttribute('data-narrow', 'true')
    wait(1)
    expect(menu()).toHaveAttribute('data-narrow', 'false')
  })

  it('folds when the mouse leaves', () => {
    point('pointerover', 'mouse')
    wait(150)
    point('pointerout', 'mouse')
    expect(menu()).toHaveAttribute('data-narrow', 'true')
  })

  it('stays folded when the mouse only passes over it', () => {
    point('pointerover', 'mouse')
    wait(100)
    point('pointerout', 'mouse')
    wait(1000)
    expect(menu()).toHaveAttribute('data-narrow', 'true')
  })

  it('does not open under a finger', () => {
    point('pointerover', 'touch')
    wait(1000)
    expect(menu()).toHaveAttribute('data-narrow', 'true')
  })

  it('folds on Escape', () => {
    point('pointerover', 'mouse')
    wait(150)
    fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(menu()).toHaveAttribute('data-narrow', 'true')
  })

  it('can be kept open, which is remembered', () => {
    fireEvent.click(screen.getByRole('button', { name: 'Keep menu open' }))
    expect(menu()).toHaveAttribute('data-narrow', 'false')
    expect(settingsStore.get().folded).toBe(false)
    expect(screen.getByRole('button', { name: 'Collapse menu' })).toHaveAttribute('aria-expanded', 'true')
  })
})
