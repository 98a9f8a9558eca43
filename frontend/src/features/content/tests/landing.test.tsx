import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { sessionStore } from '@/api/session'
import { i18n, LANGUAGES } from '@/i18n/i18n'
import { aLeader, aMember } from '@/testing/users'
import LandingPage from '../LandingPage'
import { renderIn } from './in-language'

const planFacts = ['clouds', 'upload', 'storage', 'recovery', 'monitoring', 'encryption']

beforeEach(() => sessionStore.signOut('loggedOut'))

describe.each(LANGUAGES)('the plan in %s', (language) => {
  // Specification: 2.1
  it('shows every fact of Basic and the way to sign up', async () => {
    await renderIn(language, <LandingPage />)
    const t = i18n.getFixedT(language, 'content')
    const plan = within(screen.getByRole('region', { name: t('plan.title') }))
    expect(plan.getByText('Basic')).toBeVisible()
    expect(plan.getByText(/750/)).toHaveTextContent('$')
    expect(plan.getByText(t('plan.fee'), { exact: false })).toBeVisible()
    expect(plan.getByText(t('plan.trial'))).toHaveTextContent('30')
    const facts = within(plan.getByRole('list', { name: t('plan.included') }))
    expect(facts.getAllByRole('listitem')).toHaveLength(planFacts.length)
    for (const fact of planFacts) expect(facts.getByText(t(`plan.${fact}.title`))).toBeVisible()
    expect(t('plan.clouds.title')).toContain('3')
    expect(t('plan.upload.title')).toContain('25')
    expect(plan.getByText(t('plan.betaNote'))).toBeVisible()
    expect(plan.getByRole('link', { name: t('common:screens.signup') })).toHaveAttribute('href', '/signup')
  })

  it('leaves no text untranslated', async () => {
    await renderIn(language, <LandingPage />)
    expect(document.body.textContent).not.toMatch(/\b(hero|facts|how|mosaic|sight|plan|questions|closing)\.\w+/)
  })
})

describe('the hero', () => {
  // Specification: 2.2
  it('moves on to how it works, focus included, with Learn More', async () => {
    await renderIn('en', <LandingPage />)
    await userEvent.click(screen.getByRole('link', { name: 'Learn More' }))
    expect(screen.getByRole('heading', { name: 'How it works' })).toHaveFocus()
  })

  it('offers a guest the free days', async () => {
    await renderIn('en', <LandingPage />)
    for (const link of screen.getAllByRole('link', { name: 'Start your 30-day free trial' })) {
      expect(link).toHaveAttribute('href', '/signup')
    }
    expect(screen.queryByRole('link', { name: 'Go to App' })).not.toBeInTheDocument()
  })

  it.each([
    ['a leader', aLeader(), '/team-members'],
    ['a leader without subscription', aLeader({ isSubscribed: false }), '/subscription'],
    ['a member', aMember(), '/download'],
  ])('takes %s home', async (_who, user, home) => {
    sessionStore.signIn('token', user)
    await renderIn('en', <LandingPage />)
    expect(screen.getAllByRole('link', { name: 'Go to App' })[0]).toHaveAttribute('href', home)
    expect(screen.queryByRole('link', { name: 'Start your 30-day free trial' })).not.toBeInTheDocument()
  })
})
