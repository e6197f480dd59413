/**
 * The ten provinces of Zambia and their 116 districts. They are real and public, as are their outlines; everything else
 * in the demonstration is made up.
 */
export type DemoProvince = { name: string; districts: string[] };

const split = (names: string): string[] => names.split(", ");

export const provinces: DemoProvince[] = [
  {
    name: "Central",
    districts: split(
      "Chibombo, Chisamba, Chitambo, Itezhi-Tezhi, Kabwe, Kapiri Mposhi, Luano, Mkushi, Mumbwa, Ngabwe, Serenje, Shibuyunji",
    ),
  },
  {
    name: "Copperbelt",
    districts: split(
      "Chililabombwe, Chingola, Kalulushi, Kitwe, Luanshya, Lufwanyama, Masaiti, Mpongwe, Mufulira, Ndola",
    ),
  },
  {
    name: "Eastern",
    districts: split(
      "Chadiza, Chasefu, Chipangali, Chipata, Kasenengwa, Katete, Lumezi, Lundazi, Lusangazi, Mambwe, Nyimba, Petauke, Sinda, Vubwi",
    ),
  },
  {
    name: "Luapula",
    districts: split(
      "Chembe, Chienge, Chifunabuli, Chipili, Kawambwa, Lunga, Mansa, Milenge, Mwansabombwe, Mwense, Nchelenge, Samfya",
    ),
  },
  {
    name: "Lusaka",
    districts: split("Chilanga, Chirundu, Chongwe, Kafue, Luangwa, Lusaka, Rufunsa"),
  },
  {
    name: "Muchinga",
    districts: split("Chama, Chinsali, Isoka, Kanchibiya, Lavushimanda, Mafinga, Mpika, Nakonde, Shiwang'andu"),
  },
  {
    name: "North Western",
    districts: split(
      "Chavuma, Ikelenge, Kabompo, Kalumbila, Kasempa, Manyinga, Mufumbwe, Mushindamo, Mwinilunga, Solwezi, Zambezi",
    ),
  },
  {
    name: "Northern",
    districts: split(
      "Chilubi, Kaputa, Kasama, Lunte, Lupososhi, Luwingu, Mbala, Mporokoso, Mpulungu, Mungwi, Nsama, Senga Hill",
    ),
  },
  {
    name: "Southern",
    districts: split(
      "Chikankata, Choma, Gwembe, Kalomo, Kazungula, Livingstone, Mazabuka, Monze, Namwala, Pemba, Siavonga, Sinazongwe, Zimba",
    ),
  },
  {
    name: "Western",
    districts: split(
      "Kalabo, Kaoma, Limulunga, Luampa, Lukulu, Mitete, Mongu, Mulobezi, Mwandi, Nalolo, Nkeyema, Senanga, Sesheke, Shang'ombo, Sikongo, Sioma",
    ),
  },
];
