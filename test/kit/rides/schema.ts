import { defineSchema } from 'singletable'

const text = { type: String, required: true } as const
const latitude = {
  type: Number,
  required: true,
  validate: (value: number) => value >= -90 && value <= 90,
} as const
const longitude = {
  type: Number,
  required: true,
  validate: (value: number) => value >= -180 && value <= 180,
} as const
const place = { type: Object, required: true, schema: { latitude, longitude } } as const

/** A ride-sharing service, with about one of everything that a schema can have. */
export const ridesSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
    gsi2: { hash: 'gsi2pk', sort: 'gsi2sk', project: 'keys' },
  },
  models: {
    Rider: {
      key: { pk: 'RIDER#${riderId}', sk: 'RIDER' },
      index: { gsi1pk: 'CITY#${city}', gsi1sk: 'RIDER#${name}#${riderId}' },
      attributes: {
        riderId: text,
        name: text,
        email: { ...text, unique: 'ignore-case' },
        phone: { type: String, validate: /^\+\d{8,15}$/ },
        city: text,
        rideCount: { type: Number, counts: 'Ride' },
        // Everyone who came by a code is counted where the code came from.
        invitedBy: { type: String },
        invitedCount: { type: Number, counts: { model: 'Rider', by: { riderId: 'invitedBy' } } },
      },
      stats: { count: 50_000, itemBytes: 400 },
    },
    Driver: {
      key: { pk: 'DRIVER#${driverId}', sk: 'DRIVER' },
      index: { gsi1pk: 'CITY#${city}', gsi1sk: 'DRIVER#${status}#${driverId}' },
      attributes: {
        driverId: text,
        name: text,
        license: { ...text, unique: true },
        city: text,
        status: { type: String, enum: ['offline', 'free', 'busy'], default: 'offline' },
        rideCount: { type: Number, counts: 'Ride' },
        revision: { type: Number, version: true },
      },
      stats: { count: 5_000 },
    },
    Vehicle: {
      key: { pk: 'DRIVER#${driverId}', sk: 'VEHICLE#${plate}' },
      attributes: {
        driverId: text,
        plate: { ...text, validate: /^[A-Z]{2}-[0-9]{4}$/ },
        make: text,
        color: text,
        seats: {
          type: Number,
          required: true,
          validate: (seats: number) => seats > 0 && seats < 9,
        },
      },
      stats: { count: 6_000 },
    },
    Ride: {
      key: { pk: 'RIDE#${rideId}', sk: 'RIDE' },
      index: { gsi1pk: 'RIDER#${riderId}', gsi1sk: 'RIDE#${requestedAt}' },
      attributes: {
        rideId: text,
        riderId: text,
        driverId: text,
        city: text,
        status: {
          type: String,
          enum: ['requested', 'accepted', 'riding', 'done', 'canceled'],
          default: 'requested',
        },
        requestedAt: { type: Date, required: true, start: '2026-03-01' },
        from: place,
        to: place,
        price: { type: 'decimal', required: true },
        distanceKm: { type: Number, required: true },
        riderName: { type: String, copyOf: 'Rider.name' },
        revision: { type: Number, version: true },
      },
      copies: {
        OpenRide: {
          key: { pk: 'OPEN#${city}', sk: 'RIDE#${requestedAt}#${rideId}' },
          attributes: ['status', 'riderId', 'from', 'to'],
          when: { status: ['requested', 'accepted'] },
        },
        DriverRide: {
          key: { pk: 'DRIVER#${driverId}', sk: 'RIDE#${requestedAt}#${rideId}' },
          attributes: ['status', 'price'],
        },
      },
      stats: { count: 500_000, itemBytes: 600 },
    },
    RideEvent: {
      key: { pk: 'RIDE#${rideId}', sk: 'EVENT#${at}' },
      attributes: {
        rideId: text,
        at: { type: Date, required: true },
        kind: { type: String, enum: ['request', 'accept', 'pickup', 'dropoff', 'cancel'] },
        note: { type: String },
      },
      stats: { count: 2_000_000, perPartition: { average: 4, max: 20 } },
    },
    Position: {
      key: { pk: 'POS#${driverId}#${at:day}', sk: '${at}' },
      attributes: {
        driverId: text,
        at: { type: Date, required: true, start: '2026-03-01' },
        latitude,
        longitude,
        speed: { type: Number },
        expiresAt: { type: Date, ttl: true },
      },
      stats: { count: 3_000_000 },
    },
    Payment: {
      key: { pk: 'RIDE#${rideId}', sk: 'PAYMENT#${paymentId}' },
      index: { gsi1pk: 'PAYMENTS#${status}', gsi1sk: '${paidAt}#${paymentId}' },
      when: { gsi1: { status: ['pending', 'failed'] } },
      attributes: {
        rideId: text,
        paymentId: { ...text, generate: 'ulid' },
        amount: { type: 'decimal', required: true },
        currency: { type: String, required: true, validate: /^[A-Z]{3}$/ },
        status: { type: String, enum: ['pending', 'paid', 'failed'], required: true },
        paidAt: { type: Date, required: true },
      },
      stats: { count: 500_000 },
    },
    Rating: {
      key: { pk: 'DRIVER#${driverId}', sk: 'RATING#${rideId}' },
      index: { gsi1pk: 'RATED#${driverId}', gsi1sk: '${stars:pad(1)}#${rideId}' },
      attributes: {
        driverId: text,
        rideId: text,
        stars: {
          type: Number,
          required: true,
          pad: 1,
          validate: (stars: number) => Number.isInteger(stars) && stars >= 1 && stars <= 5,
        },
        comment: { type: String, maxBytes: 500 },
      },
      stats: { count: 300_000 },
    },
    Promo: {
      key: { pk: 'PROMO#${code}', sk: 'PROMO' },
      index: { gsi2pk: 'CAMPAIGN#${campaign}', gsi2sk: 'PROMO#${code}' },
      attributes: {
        code: { ...text, validate: /^[A-Z]{3,8}[0-9]{2,6}$/ },
        campaign: text,
        percent: {
          type: Number,
          required: true,
          validate: (percent: number) => percent >= 5 && percent <= 50 && percent % 5 === 0,
        },
        validTo: { type: Date, required: true },
        usedCount: { type: Number, counts: 'PromoUse' },
      },
      stats: { count: 200 },
    },
    PromoUse: {
      key: { pk: 'PROMO#${code}', sk: 'USE#${riderId}' },
      attributes: { code: text, riderId: text, revision: { type: Number, version: true } },
      stats: { count: 10_000 },
    },
    SavedPlace: {
      key: { pk: 'RIDER#${riderId}', sk: 'PLACE#${label}' },
      attributes: {
        riderId: text,
        label: { type: String, enum: ['home', 'work', 'gym', 'school'], required: true },
        address: text,
        latitude,
        longitude,
      },
      stats: { count: 80_000 },
    },
    Settings: {
      key: { pk: 'SETTINGS', sk: 'SETTINGS' },
      attributes: { minimumPrice: { type: 'decimal' }, cities: { type: Set } },
    },
  },
  patterns: {
    rider: { op: 'get', entity: 'Rider', by: ['riderId'] },
    ridersInCity: { op: 'query', entity: 'Rider', index: 'gsi1', by: ['city'], range: 'name' },
    driver: { op: 'get', entity: 'Driver', by: ['driverId'] },
    driversInCity: { op: 'query', entity: 'Driver', index: 'gsi1', by: ['city', 'status'] },
    driversById: { op: 'batchGet', entity: 'Driver', by: ['driverId'] },
    driverWithVehicles: { op: 'query', entity: ['Driver', 'Vehicle'], by: ['driverId'] },
    vehicles: { op: 'query', entity: 'Vehicle', by: ['driverId'] },
    ride: { op: 'get', entity: 'Ride', by: ['rideId'], consistent: true },
    rideWithEvents: { op: 'query', entity: ['Ride', 'RideEvent', 'Payment'], by: ['rideId'] },
    ridesOfRider: {
      op: 'query',
      entity: 'Ride',
      index: 'gsi1',
      by: ['riderId'],
      range: 'requestedAt',
      order: 'desc',
      limit: 20,
    },
    ridesOfDriver: { op: 'query', entity: 'DriverRide', by: ['driverId'], range: 'requestedAt' },
    openRides: { op: 'query', entity: 'OpenRide', by: ['city'], range: 'requestedAt' },
    events: { op: 'query', entity: 'RideEvent', by: ['rideId'], range: 'at' },
    track: { op: 'query', entity: 'Position', by: ['driverId'], range: 'at' },
    payments: { op: 'query', entity: 'Payment', by: ['rideId'] },
    pendingPayments: {
      op: 'query',
      entity: 'Payment',
      index: 'gsi1',
      by: ['status'],
      range: 'paidAt',
    },
    ratings: { op: 'query', entity: 'Rating', by: ['driverId'] },
    worstRatings: {
      op: 'query',
      entity: 'Rating',
      index: 'gsi1',
      by: ['driverId'],
      range: 'stars',
    },
    promo: { op: 'get', entity: 'Promo', by: ['code'] },
    promosOfCampaign: {
      op: 'query',
      entity: 'Promo',
      index: 'gsi2',
      by: ['campaign'],
      // biome-ignore lint/suspicious/noThenProperty: the word of the schema's format.
      then: { op: 'batchGet', entity: 'Promo' },
    },
    savedPlaces: { op: 'query', entity: 'SavedPlace', by: ['riderId'] },
    signUp: { op: 'create', entity: 'Rider' },
    acceptRide: { op: 'update', entity: 'Ride', by: ['rideId'], set: ['status', 'driverId'] },
    rate: { op: 'put', entity: 'Rating' },
    forgetPlace: { op: 'delete', entity: 'SavedPlace', by: ['riderId', 'label'] },
    usePromo: {
      op: 'transact',
      steps: {
        use: { op: 'create', entity: 'PromoUse' },
        ride: { op: 'check', entity: 'Ride', by: ['rideId'] },
      },
    },
    settings: { op: 'get', entity: 'Settings', by: [] },
  },
})
