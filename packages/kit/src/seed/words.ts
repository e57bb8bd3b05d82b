const list = (words: string): readonly string[] => words.split(' ')

/** Words for ids, titles and attributes without a list of their own. */
export const WORDS: readonly string[] = list(
  'amber birch cedar delta ember fjord grove haven iris jade koral lumen maple north ocean pearl quartz river stone tide umber vale willow yarrow zephyr',
)
export const GIVEN_NAMES: readonly string[] = list(
  'Ada Alan Amara Chen Dorothy Edsger Emeka Grace Hedy Ines Joan Katherine Linus Margaret Mei Niklaus Noor Olga Radia Sophie Tim Vera Wei Yuki',
)
export const FAMILY_NAMES: readonly string[] = list(
  'Lovelace Turing Okafor Wang Vaughan Dijkstra Adeyemi Hopper Lamarr Costa Clarke Johnson Torvalds Hamilton Lin Wirth Haddad Petrova Perlman Germain Berners Rubin Zhang Tanaka',
)
export const CITIES: readonly string[] = list(
  'Berlin Lagos Lima Lisbon London Madrid Mumbai Nairobi Osaka Oslo Paris Porto Prague Quito Seoul Toronto',
)
export const COUNTRIES: readonly string[] = list(
  'Brazil Canada France Germany Ghana India Japan Kenya Mexico Norway Peru Portugal Spain Vietnam',
)
export const COUNTRY_CODES: readonly string[] = list('BR CA FR DE GH IN JP KE MX NO PE PT ES VN')
export const CURRENCIES: readonly string[] = list('EUR USD GBP JPY CHF')
export const LANGUAGES: readonly string[] = list('en de fr es pt ja')
export const TIME_ZONES: readonly string[] = list(
  'Europe/Berlin America/Lima Asia/Tokyo Africa/Lagos Europe/Lisbon',
)
export const COLORS: readonly string[] = list('black blue green gray red silver white yellow')
export const CATEGORIES: readonly string[] = list(
  'books garden games kitchen music office sports tools toys travel',
)
export const STATES: readonly string[] = list('active pending done closed')
export const MATERIALS: readonly string[] = list('Bamboo Copper Cotton Linen Oak Steel Wool Walnut')
export const THINGS: readonly string[] = list(
  'Chair Desk Kettle Lamp Lantern Notebook Shelf Stool Table Teapot Vase Watch',
)
export const COMPANY_ENDINGS: readonly string[] = list('Labs Works Studio Group Partners Systems')
export const STREET_ENDINGS: readonly string[] = list('Street Avenue Road Lane Square')
export const MEDIA_TYPES: readonly string[] = list(
  'image/png image/jpeg application/pdf text/plain video/mp4',
)
export const FILE_ENDINGS: readonly string[] = list('pdf png txt csv jpg')
