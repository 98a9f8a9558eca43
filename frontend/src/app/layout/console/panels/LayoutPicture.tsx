import styles from './Panel.module.css'

type LayoutPictureProps = { menu: 'start' | 'end' | 'folded'; boxed?: boolean }

const menuWidth = { start: 13, end: 13, folded: 5 }

/** A screen in miniature. It is mirrored with the language, as the screen itself is. */
export function LayoutPicture({ menu, boxed = false }: LayoutPictureProps) {
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
