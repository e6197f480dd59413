/**
 * The ten provinces of Zambia and their 116 districts: real and public knowledge, the only real thing of the demonstration.
 * `spots` are a few points well within the province (latitude, longitude, radius in degrees) around which facilities are put.
 */
export type DemoProvince = { name: string; districts: string[]; spots: [number, number, number][] };

const split = (names: string): string[] => names.split(", ");

export const provinces: DemoProvince[] = [
  {
    name: "Central",
    districts: split(
      "Chibombo, Chisamba, Chitambo, Itezhi-Tezhi, Kabwe, Kapiri Mposhi, Luano, Mkushi, Mumbwa, Ngabwe, Serenje, Shibuyunji",
    ),
    spots: [[-14.6, 28.1, 0.4], [-13.7, 29.4, 0.3], [-13.2, 30.4, 0.3], [-15.0, 26.8, 0.4]],
  },
  {
    name: "Copperbelt",
    districts: split(
      "Chililabombwe, Chingola, Kalulushi, Kitwe, Luanshya, Lufwanyama, Masaiti, Mpongwe, Mufulira, Ndola",
    ),
    spots: [[-12.85, 28.2, 0.25], [-13.4, 27.8, 0.3], [-13.1, 28.4, 0.3]],
  },
  {
    name: "Eastern",
    districts: split(
      "Chadiza, Chasefu, Chipangali, Chipata, Kasenengwa, Katete, Lumezi, Lundazi, Lusangazi, Mambwe, Nyimba, Petauke, Sinda, Vubwi",
    ),
    spots: [[-13.6, 32.2, 0.4], [-14.2, 31.4, 0.3], [-12.4, 32.9, 0.25]],
  },
  {
    name: "Luapula",
    districts: split(
      "Chembe, Chienge, Chifunabuli, Chipili, Kawambwa, Lunga, Mansa, Milenge, Mwansabombwe, Mwense, Nchelenge, Samfya",
    ),
    spots: [[-11.3, 29.1, 0.3], [-9.8, 29.1, 0.3], [-10.4, 29.0, 0.25]],
  },
  {
    name: "Lusaka",
    districts: split("Chilanga, Chirundu, Chongwe, Kafue, Luangwa, Lusaka, Rufunsa"),
    spots: [[-15.4, 28.4, 0.2], [-15.3, 29.3, 0.3]],
  },
  {
    name: "Muchinga",
    districts: split(
      "Chama, Chinsali, Isoka, Kanchibiya, Lavushimanda, Mafinga, Mpika, Nakonde, Shiwang'andu",
    ),
    spots: [[-10.6, 32.2, 0.35], [-11.8, 31.5, 0.4]],
  },
  {
    name: "North Western",
    districts: split(
      "Chavuma, Ikelenge, Kabompo, Kalumbila, Kasempa, Manyinga, Mufumbwe, Mushindamo, Mwinilunga, Solwezi, Zambezi",
    ),
    spots: [[-12.4, 25.8, 0.4], [-13.4, 24.6, 0.4], [-12.0, 24.8, 0.3]],
  },
  {
    name: "Northern",
    districts: split(
      "Chilubi, Kaputa, Kasama, Lunte, Lupososhi, Luwingu, Mbala, Mporokoso, Mpulungu, Mungwi, Nsama, Senga Hill",
    ),
    spots: [[-10.2, 30.9, 0.4], [-9.2, 30.3, 0.3], [-9.2, 31.3, 0.2]],
  },
  {
    name: "Southern",
    districts: split(
      "Chikankata, Choma, Gwembe, Kalomo, Kazungula, Livingstone, Mazabuka, Monze, Namwala, Pemba, Siavonga, Sinazongwe, Zimba",
    ),
    spots: [[-16.8, 26.8, 0.4], [-16.1, 27.6, 0.3], [-17.3, 26.4, 0.2]],
  },
  {
    name: "Western",
    districts: split(
      "Kalabo, Kaoma, Limulunga, Luampa, Lukulu, Mitete, Mongu, Mulobezi, Mwandi, Nalolo, Nkeyema, Senanga, Sesheke, Shang'ombo, Sikongo, Sioma",
    ),
    spots: [[-15.3, 23.3, 0.5], [-16.4, 23.8, 0.4], [-14.6, 23.6, 0.4]],
  },
];
