/** Kinds of everyday things, in English; in the form that `concepts.ts` describes. */
export const kinds = `
  pet > dog cat rabbit hamster parrot goldfish puppy kitten
  animal > dog cat cow sheep horse pig chicken bird fish
  instrument > piano guitar violin cello flute drums trumpet clarinet saxophone harp
  sport > football tennis basketball swimming running skiing rugby cricket golf hockey yoga
  language > english french german spanish italian welsh irish japanese chinese mandarin russian portuguese arabic korean
  vegetable > tomato potato carrot onion cabbage spinach courgette pepper
  fruit > apple banana grape strawberry cherry peach orange mango plum pear
  herb > coriander basil mint parsley thyme rosemary dill sage cilantro
  spice > pepper cinnamon ginger turmeric cumin chilli
  drink > coffee tea beer wine juice water
  poultry > hen chicken duck goose turkey
  vehicle > car bike motorcycle van truck bus lorry skoda ford toyota tesla bmw volkswagen
  job > nurse doctor teacher lawyer engineer programmer chef driver accountant designer plumber
  relative > uncle aunt cousin nephew niece grandmother grandfather
  laptop > macbook thinkpad chromebook
  phone > iphone pixel samsung
  furniture > sofa table chair bed wardrobe bookshelf desk
  colour > red yellow blue green white black purple pink grey orange brown
  race > marathon sprint
  disease > diabetes cancer asthma migraine flu stroke
  season > spring summer autumn winter
  meal > breakfast lunch dinner supper
  jewellery > ring necklace earrings bracelet
  appliance > fridge oven dishwasher microwave boiler
  illness > diabetes cancer asthma migraine flu stroke
  health > stroke diabetes cancer asthma surgery pressure kidney heart
  music > orchestra band choir concert cello piano
`;
