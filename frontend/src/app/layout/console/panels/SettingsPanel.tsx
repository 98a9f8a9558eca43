import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Drawer } from '@/components/dialog/Drawer'
import { Tiles } from '@/components/forms/Tiles'
import { ComputerIcon } from '@/components/icons/ComputerIcon'
import { DarkModeIcon } from '@/components/icons/DarkModeIcon'
import { LightModeIcon } from '@/components/icons/LightModeIcon'
import { DEFAULT_SETTINGS, settingsStore, useSettings } from '@/lib/settings'
import styles from './Panel.module.css'

const menuWidth = { start: 13, end: 13, folded: 5 }

type SettingsPanelProps = { onClose: () => void }

export function SettingsPanel({ onClose }: SettingsPanelProps) {
  const { t } = useTranslation('overlays')
  const settings = useSettings()
  const { update } = settingsStore

  function restore() {
    // The pinned screens are not part of what this panel shows.
    update({ ...DEFAULT_SETTINGS, pins: settings.pins })
  }

  return (
    <Drawer
      closeLabel={t('panel.close')}
      side={settings.menuSide === 'start' ? 'end' : 'start'}
      title={t('settings.title')}
      onClose={onClose}
    >
      <div className={styles.groups}>
        <Tiles
          legend={t('settings.theme')}
          value={settings.theme}
          onChange={(theme) => update({ theme })}
          options={[
            { value: 'light', label: t('settings.light'), picture: <LightModeIcon /> },
            { value: 'dark', label: t('settings.dark'), picture: <DarkModeIcon /> },
            { value: 'system', label: t('settings.system'), picture: <ComputerIcon /> },
          ]}
        />
        <Tiles
          legend={t('settings.menuSide')}
          value={settings.menuSide}
          onChange={(menuSide) => update({ menuSide })}
          options={[
            { value: 'start', label: t('settings.start'), picture: <LayoutPicture menu="start" /> },
            { value: 'end', label: t('settings.end'), picture: <LayoutPicture menu="end" /> },
          ]}
        />
        <Tiles
          legend={t('settings.menuWidth')}
          value={settings.folded ? 'folded' : 'open'}
          onChange={(value) => update({ folded: value === 'folded' })}
          options={[
            { value: 'open', label: t('settings.open'), picture: <LayoutPicture menu="start" /> },
            { value: 'folded', label: t('settings.folded'), picture: <LayoutPicture menu="folded" /> },
          ]}
        />
        <Tiles
          legend={t('settings.width')}
          value={settings.width}
          onChange={(width) => update({ width })}
          options={[
            { value: 'full', label: t('settings.full'), picture: <LayoutPicture menu="folded" /> },
            { value: 'boxed', label: t('settings.boxed'), picture: <LayoutPicture menu="folded" boxed /> },
          ]}
        />
        <p className="t-soft">{t('settings.note')}</p>
        <Button variant="outlined" fullWidth onClick={restore}>
          {t('settings.restore')}
        </Button>
      </div>
    </Drawer>
  )
}

type LayoutPictureProps = { menu: 'start' | 'end' | 'folded'; boxed?: boolean }

/** A screen in miniature. It is mirrored with the language, as the screen itself is. */
function LayoutPicture({ menu, boxed = false }: LayoutPictureProps) {
  const width = menuWidth[menu]
  const menuX = menu === 'end' ? 52 - width : 2
  const roomX = menu === 'end' ? 4 : width + 4
  const room = 52 - width - 6
  const inset = boxed ? 6 : 0
  return (
    <svg width="54" height="36" viewBox="0 0 54 36" aria-hidden className={styles.mirrored}>
      <rect x="0.75" y="0.75" width="52.5" height="34.5" rx="5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <rect x={menuX} y="2.5" width={width} height="31" rx="3" fill="currentColor" />
      <rect x={roomX + inset} y="6" width={room - inset * 2} height="5" rx="2" fill="currentColor" opacity="0.35" />
      <rect x={roomX + inset} y="14" width={room - inset * 2} height="16" rx="2" fill="currentColor" opacity="0.35" />
    </svg>
  )
}
