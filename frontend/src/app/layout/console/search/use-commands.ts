import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { useActiveCompany } from '@/app/active-company'
import { LogoutIcon } from '@/components/icons/LogoutIcon'
import { QuickPanelIcon } from '@/components/icons/QuickPanelIcon'
import { SettingsIcon } from '@/components/icons/SettingsIcon'
import { TranslateIcon } from '@/components/icons/TranslateIcon'
import { DarkModeIcon } from '@/components/icons/DarkModeIcon'
import { LightModeIcon } from '@/components/icons/LightModeIcon'
import { providersQuery } from '@/features/warehouses/providers'
import { changeLanguage, LANGUAGES } from '@/i18n/i18n'
import { LANGUAGE_NAMES } from '@/i18n/languages'
import { settingsStore } from '@/lib/settings'
import { openRequest } from '@/hooks/use-open-request'
import { actionsOf, companyActions, userActions, type FrameAction } from '../frame-actions'
import { pageActions } from '../page-actions'
import type { Icon } from '@/components/icons/create-icon'
import { screensOf } from '../screens'
import type { FramePart } from '../use-frame-parts'
import type { Suggestion } from './suggestions'

export type FrameControls = {
  show: (part: FramePart) => void
  run: (action: FrameAction) => void
  logout: () => void
}

/** Screens and actions that are found by what the providers are called. */
const aboutProviders = ['warehouses', 'faq', 'addWarehouse']

/** Every screen and action the user may use, as suggestions of the search. */
export function useCommands(user: User, { show, run, logout }: FrameControls): Suggestion[] {
  const { t, i18n } = useTranslation('overlays')
  const company = useActiveCompany()
  const mayAsk = user.isSubscribed && user.permissions.includes('help:read')
  const { data: providers = [] } = useQuery({ ...providersQuery(), enabled: mayAsk })
  const words = providers.map(({ name, searchWords }) => `${name} ${searchWords}`).join(' ')

  const action = (id: string, label: string, Icon: Icon, open: Suggestion['open'], keywords = ''): Suggestion => ({
    id: `action:${id}`,
    kind: 'action',
    label,
    keywords,
    Icon,
    open,
  })
  const reachable = screensOf(user).filter(({ needsCompany }) => !needsCompany || company)
  const screens = reachable.map(({ screen, path, Icon }): Suggestion => ({
    id: `screen:${screen}`,
    kind: 'screen',
    label: t(`common:screens.${screen}`),
    keywords: aboutProviders.includes(screen) ? `${t(`screenWords.${screen}`)} ${words}` : t(`screenWords.${screen}`),
    Icon,
    open: (navigate) => void navigate(path),
  }))
  const onPages = reachable.flatMap((screen) =>
    pageActions
      .filter(({ screens: owners }) => owners.includes(screen.screen))
      .map(({ id, open }) =>
        action(
          id,
          t(`pageActions.${id}`),
          screen.Icon,
          (navigate) => void navigate(screen.path, { state: openRequest(open) }),
          aboutProviders.includes(id) ? `${t(`pageActionWords.${id}`)} ${words}` : t(`pageActionWords.${id}`),
        ),
      ),
  )
  const ofFeatures = actionsOf(user, [...companyActions, ...userActions]).map((entry) =>
    action(entry.id, t(`console:${entry.labelKey}`), entry.Icon, () => run(entry), t(`actionWords.${entry.id}`)),
  )
  const languages = LANGUAGES.filter((language) => language !== i18n.language).map((language) =>
    action(
      `language-${language}`,
      t('search.switchLanguage', { name: LANGUAGE_NAMES[language] }),
      TranslateIcon,
      () => void changeLanguage(language),
      `${t('search.languageWords')} ${language}`,
    ),
  )
  return [
    ...screens,
    ...ofFeatures,
    ...onPages,
    action('settings', t('console:userMenu.settings'), SettingsIcon, () => show('settings'), t('search.settingsWords')),
    action('quick', t('console:quickPanel.title'), QuickPanelIcon, () => show('quick'), t('search.quickWords')),
    action('dark', t('search.useDark'), DarkModeIcon, () => settingsStore.update({ theme: 'dark' })),
    action('light', t('search.useLight'), LightModeIcon, () => settingsStore.update({ theme: 'light' })),
    ...languages,
    action('logout', t('console:userMenu.logout'), LogoutIcon, logout, t('search.logoutWords')),
  ]
}
